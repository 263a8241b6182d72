/** Runs the fake upstream as a process of its own: `node tools/fake-upstream/main.ts --port 9090`. */
import { parseArgs } from 'node:util'
import { startFakeUpstream } from './fake-upstream.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'required-credential': { type: 'string' },
    'listed-model': { type: 'string', multiple: true, default: [] },
  },
})

const requiredCredential = values['required-credential']
const upstream = await startFakeUpstream({
  host: values.host,
  port: Number(values.port),
  // They cannot be read outside this process.
  recordedRequests: 0,
  listedModels: values['listed-model'],
  ...(requiredCredential === undefined ? {} : { requiredCredential }),
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void upstream.close())
console.log(`fake upstream on ${upstream.url}`)
