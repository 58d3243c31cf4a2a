"""What readers are answered from: the programme, loaded, current and on disk; never writes a format."""
