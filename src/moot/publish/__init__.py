"""Publishing: chosen debates as a site of files, which needs no server, and as a folder of decision records."""
