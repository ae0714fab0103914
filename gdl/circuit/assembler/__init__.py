"""The assembler: turn the gates of a schedule into machine code, in milliseconds."""
