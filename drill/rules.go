package main

// labTable is what of labctl only looks. Beside it an agent looks with what it has in the user's own cycles, which only looks, too. What may
// be done to a service is the services file's word.
const labTable = `programs:
  labctl: {status: 'NAME?', log: NAME}
instead:
  labctl: What changes a service is a tool, restart, redeploy (Tier 3) or an action of the services file; anything else is something to propose
`
