"""The shapes of platforms on the wire: one file each, found through `registry`."""
