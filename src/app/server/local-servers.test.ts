import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_SERVERS } from '../../core/local-servers.ts'
import { findLocalServers } from './local-servers.ts'

/** A port on which models are listed, or something else is answered. */
async function listening(status: number, body: string | null): Promise<number> {
  const server = createServer(({ url }, response) => {
    if (body === null) return
    response.statusCode = url === '/v1/models' ? status : 404
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const listed = (owner: string) =>
  JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model', owned_by: owner }] })

test('servers that list models on loopback ports are found by who signs the list, whatever the port', async () => {
  const [ollama, other, locked, page, silent] = await Promise.all([
    listening(200, listed('library')),
    listening(200, listed('sglang')),
    listening(401, '{"error":{"message":"no"}}'),
    listening(200, '<!doctype html>'),
    listening(200, null),
  ])
  const found = await findLocalServers({ ollama, vllm: other, llama_cpp: locked, lm_studio: page, sglang: silent })
  expect(found).toEqual([
    { server: 'ollama', baseUrl: `http://127.0.0.1:${ollama}/v1`, models: 1 },
    { server: 'sglang', baseUrl: `http://127.0.0.1:${other}/v1`, models: 1 },
  ])
})

test('no two servers have one port', () => {
  const ports = Object.values(LOCAL_SERVERS).map(({ port }) => port)
  expect(new Set(ports).size).toBe(ports.length)
})
