/** Runs the fake upstream as a process of its own: `node tools/fake-upstream/main.ts --port 9090`. */
import { parseArgs } from 'node:util'
import { startFakeUpstream } from './fake-upstream.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'listed-model': { type: 'string', multiple: true, default: [] },
  },
})

const upstream = await startFakeUpstream({
  port: Number(values.port),
  // They cannot be read outside this process.
  recordedRequests: 0,
  listedModels: values['listed-model'],
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void upstream.close())
console.log(`fake upstream on ${upstream.url}`)
