"""The commands of `brand-visibility`, one file each: options in, words out.

A command parses, calls the house and prints. Anything worth testing without a terminal
belongs to another room.
"""
