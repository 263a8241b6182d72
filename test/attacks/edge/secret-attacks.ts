/** What answers, lists and the log give away, and what an upstream can make of an answer. */
import { expect } from 'vitest'
import { UPSTREAM_CREDENTIAL } from '../attacked-gateway.ts'
import { attack } from '../attack.ts'
import { type Edge, HEADER_SECRET } from './edge.ts'

export function secretAttacks(edge: () => Edge): void {
  attack('an upstream’s error gives its credential away in no field and no header', async () => {
    const { hostileModel: model } = edge()
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses']) {
      const answer = await post(edge(), path, {
        model,
        max_tokens: 5,
        input: 'x',
        messages: [{ role: 'user', content: 'x' }],
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(await answer.text()).not.toContain(UPSTREAM_CREDENTIAL)
      expect(JSON.stringify([...answer.headers])).not.toContain(UPSTREAM_CREDENTIAL)
    }
  })

  attack('an upstream’s answer is never a page, and sets no cookie', async () => {
    const { hostileModel: model } = edge()
    const answer = await post(edge(), '/v1/embeddings', { model, input: 'x' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  attack('a key that was put into the path comes back in no answer', async () => {
    const { gateway, purse } = edge()
    for (const path of [`/v1/${purse.secret}`, `/${purse.secret}/v1/models`, `/v1/models/${purse.secret}`]) {
      const answer = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${purse.secret}` } })
      expect(await answer.text(), path).not.toContain(purse.secret)
    }
  })

  attack('what depends on the key is stored by no cache', async () => {
    const { gateway, purse } = edge()
    const answer = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${purse.secret}` } })
    expect(answer.headers.get('cache-control')).toMatch(/no-store/)
  })

  attack('an admin’s lists have no credential and no value of an upstream’s header', async () => {
    const { gateway } = edge()
    const listed = JSON.stringify(await gateway.admin.ask('GET', '/api/upstreams?limit=100'))
    expect(listed).not.toContain(UPSTREAM_CREDENTIAL)
    expect(listed).not.toContain(HEADER_SECRET)
  })

  attack('the log has no secret of all that was sent', async () => {
    const { gateway, purse } = edge()
    const printed = gateway.process?.printed() ?? ''
    for (const secret of [UPSTREAM_CREDENTIAL, purse.secret, HEADER_SECRET]) expect(printed).not.toContain(secret)
  })
}

function post({ gateway, purse }: Edge, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${purse.secret}` }
  return fetch(gateway.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
}
