"""Is the installation sound, and the database whole?"""
