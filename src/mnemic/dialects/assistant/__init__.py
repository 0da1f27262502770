"""Four tools that remember a person, and the extended profile. Start reading at `tools`."""
