"""Who may do what: projects, keys, sessions of browsers, requests that come twice."""
