import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../../support/test-servers.ts'

/** Repeats what it is asked, and writes no more than it may. */
export const MODEL = 'fake/echo?keeps_limits=1'

/** Long, and not to be guessed. */
export const SECRET_KEY = 'steady-7vq2kd93mxw4rzt8hbn6pj5fgc'

/** A declarative file with one key of a rich account. Returns its path. */
export async function declared(upstreamUrl: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'tollgate.yaml')
  const declaration = {
    upstreams: [{ name: 'fake', protocol: 'openai', base_url: `${upstreamUrl}/v1`, credential: 'for-tests' }],
    models: [
      {
        name: MODEL,
        price: { input: '2.5', output: '10' },
        context_tokens: 200_000,
        max_output_tokens: 64_000,
        targets: [{ upstream: 'fake', model: MODEL }],
      },
    ],
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: [{ email: 'steady@example.test', balance: '1000' }],
    keys: [{ account: 'steady@example.test', name: 'steady', group: 'default', custom_key: SECRET_KEY }],
  }
  // Every JSON text is a YAML text.
  await writeFile(path, JSON.stringify(declaration))
  return path
}
