"""One module for each group of commands. Start reading at `robot_commands`."""
