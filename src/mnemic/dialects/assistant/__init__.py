"""Four tools that remember a person, and what comes with the extended profile."""
