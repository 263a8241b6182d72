import { clientNamed } from '../clients/all-clients.ts'
import { type Asked, programOnPath } from '../clients/client-kind.ts'
import { readDevice } from '../gateway/device.ts'
import { Failure, type Host, UsageFailure } from '../host.ts'
import { accessToken } from '../sign-in/access-token.ts'
import { chosenSignIn } from '../kept/sign-in-store.ts'

export interface RunOptions {
  readonly gateway: string | null
  readonly words: readonly string[]
  readonly args: readonly string[]
  readonly model: string | null
}

/** Starts a client with a token in its environment, and in no file. Resolves with its exit code. */
export async function run(host: Host, { gateway, words, args, model }: RunOptions): Promise<number> {
  const [typed, ...more] = words
  if (typed === undefined || more.length > 0)
    throw new UsageFailure('Name one client, and what it is given behind --: tollgate run gemini-cli -- -p Hello')
  const kind = clientNamed(typed)
  if (kind.env === undefined)
    throw new UsageFailure(`${kind.name} takes no token from its environment: run tollgate use ${kind.id}`)
  const program = kind.programs.map((name) => programOnPath(host, name)).find((path) => path !== null)
  if (program === undefined || program === null)
    throw new Failure(`${kind.name} is not installed: ${kind.programs.join(' and ')} is in no folder of PATH.`)
  const signIn = chosenSignIn(host, gateway)
  const state = await readDevice(host, signIn)
  const secret = await accessToken(host, signIn, 'this_program')
  const wants: Asked['wants'] = { tokenCommand: false, statusLine: false }
  const env = kind.env({ host, address: signIn.address, state, model, secret, isSetUp: false, wants })
  return host.handOver({ program, args, env })
}
