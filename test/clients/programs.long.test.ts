import { PROGRAMS } from './matrix-clients.ts'
import { proveClients } from './prove-clients.ts'

proveClients(PROGRAMS)
