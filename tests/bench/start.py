def rows(): return ()
