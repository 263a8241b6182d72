const MOST_CHARACTERS = 100

/** A name for a device by what its program says: the client without its version, and the machine. It is the same in any language. */
export function deviceName(said: { readonly client: string; readonly machine: string }): string | undefined {
  const client = said.client.replace(/\s+v?\d[\w.+-]*$/, '').trim()
  const machine = said.machine.trim()
  const name = client !== '' && machine !== '' ? `${client} (${machine})` : client + machine
  return name === '' ? undefined : name.slice(0, MOST_CHARACTERS)
}
