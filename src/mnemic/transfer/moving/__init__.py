"""Copy a store from one backend to another while it is in use. Start reading at `move`."""
