"""The assembler: gates of a schedule become machine code, in milliseconds."""
