"""An image, as far as anything here looks into one."""

import struct

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + b"\x08\x02\0\0\0" + b"pixels" * 50
