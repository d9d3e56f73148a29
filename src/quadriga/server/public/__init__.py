"""Help for a host whose server is to be public: what is still missing, and the configuration of the proxy."""
