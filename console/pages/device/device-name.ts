import type { SharedTexts } from '../../dictionaries/shared-en.ts'

const MOST_CHARACTERS = 100

/** A name for a device by what its program says: the client without its version, and the machine. */
export function deviceName(
  said: { readonly client: string; readonly machine: string },
  shared: Pick<SharedTexts, 'inBrackets'>,
): string | undefined {
  const client = said.client.replace(/\s+v?\d[\w.+-]*$/, '').trim()
  const machine = said.machine.trim()
  const name = client !== '' && machine !== '' ? shared.inBrackets(client, machine) : client + machine
  return name === '' ? undefined : name.slice(0, MOST_CHARACTERS)
}
