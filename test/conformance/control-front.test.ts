import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/contract/problems.ts'
import { type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
beforeAll(async () => {
  control = await controlUnderTest()
})
afterAll(() => control.close())

describe('every answer', () => {
  test('carries a request id, is not cached and is not sniffed', async () => {
    for (const path of ['/api/instance', '/api/me', '/api/nothing', '/api/openapi.json', '/api/docs']) {
      const { headers } = await control.anonymous.ask('GET', path)
      expect(headers.get('x-request-id'), path).toMatch(/^req_/)
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
    }
  })

  test('that refuses is problem details with the same request id', async () => {
    const { status, headers, body } = await control.anonymous.ask('GET', '/api/me')
    expect(status).toBe(401)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ type: '/docs/errors/credential_missing', status: 401, code: 'credential_missing' })
    expect(body.request_id).toBe(headers.get('x-request-id'))
  })
})

describe('the documentation', () => {
  test('is an OpenAPI 3.1 document in which every reference leads somewhere', async () => {
    const { body, text } = await control.anonymous.ask('GET', '/api/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(body.servers).toEqual([{ url: control.origin }])
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !(String(name) in body.components.schemas))).toEqual([])
    expect(Object.keys(body.components.securitySchemes)).toEqual(['bearer', 'session'])
  })

  test('is a page with an anchor for each route, without a script, under a policy that names its one style', async () => {
    const document = await control.anonymous.ask('GET', '/api/openapi.json')
    const { headers, text } = await control.anonymous.ask('GET', '/api/docs')
    for (const path of Object.keys(document.body.paths)) expect(text, path).toContain(`<code>${path}</code>`)
    expect(text).not.toMatch(/<script|\son\w+=|javascript:|src=/i)
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(anchors.filter((id) => !text.includes(` id="${id}"`))).toEqual([])
    for (const code of new Set([...text.matchAll(/\/docs\/errors\/(\w+)/g)].map(([, name]) => name ?? ''))) {
      expect(Object.keys(PROBLEMS)).toContain(code)
    }
  })
})

test('a defect is answered with the request id and nothing else', async () => {
  const broken = await controlUnderTest()
  await broken.store.close()
  const { status, body, headers } = await broken.adminToken.ask('GET', '/api/settings')
  expect(status).toBe(500)
  expect(body).toMatchObject({ code: 'internal', request_id: headers.get('x-request-id') })
  expect(body.detail).not.toMatch(/store|sql|closed|at \//i)
  await broken.close()
})
