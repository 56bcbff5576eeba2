"""What a Python program uses: scorers as functions of their configuration."""
