"""`python -m workers`: the one process of `chasqui serve`.

What a start loads stays: until all of it is there, the garbage collector would look through it again and again, for a sixth of the start.
"""

import gc

gc.disable()

from workers.embedded import serve_alone  # noqa: E402 - see above

serve_alone()
