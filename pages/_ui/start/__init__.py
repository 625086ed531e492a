"""What the Start page shows."""
