"""Games: opened, built, and worked on."""
