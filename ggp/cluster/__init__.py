"""Work on several machines with Ray. Programs that use one machine never import Ray."""
