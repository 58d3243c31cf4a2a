"""Edit conflicts between editors of the same row; never decides by itself which version wins."""
