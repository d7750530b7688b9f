"""Models inside moot: llama.cpp in this process, and the files that it loads."""
