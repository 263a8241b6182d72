import { OPENCODE } from './matrix-clients.ts'
import { proveClients } from './prove-clients.ts'

proveClients(OPENCODE)
