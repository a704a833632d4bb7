"""The pages: each module here that has a `bp` brings some. They translate between forms and use cases."""
