"""What happens when things break: processes killed, disks full, lines cut, files that are not databases."""
