import type { Host } from '../host.ts'
import { type Asker, accessToken } from '../sign-in/access-token.ts'
import { chosenSignIn } from '../kept/sign-in-store.ts'

/** Prints an access token, for a client that runs this command. */
export async function token(host: Host, { gateway, asker }: { gateway: string | null; asker: Asker }): Promise<number> {
  host.print(`${await accessToken(host, chosenSignIn(host, gateway), asker)}\n`)
  return 0
}
