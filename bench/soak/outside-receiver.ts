/** A collector and a webhook in one: takes what a gateway sends of itself, and counts it. */
import { scriptedUpstream } from '../../test/support/scripted-upstream.ts'

export interface OutsideReceiver {
  readonly port: number
  /** Deliveries by their path. */
  readonly received: ReadonlyMap<string, number>
  close(): void
}

/** Listens on the loopback address. */
export async function startOutsideReceiver(): Promise<OutsideReceiver> {
  const received = new Map<string, number>()
  const { port, close } = await scriptedUpstream((request, response) => {
    const path = request.url ?? ''
    received.set(path, (received.get(path) ?? 0) + 1)
    request.resume()
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  return { port, received, close }
}
