import { OTHER_AGENTS } from './matrix-clients.ts'
import { proveClients } from './prove-clients.ts'

proveClients(OTHER_AGENTS)
