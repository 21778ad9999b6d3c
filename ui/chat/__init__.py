"""The conversation: what is asked, answered, branched and kept in sight."""
