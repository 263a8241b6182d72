import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPostgresUrl, tlsFailure, UnusableTls } from './postgres-url.ts'

const BASE = 'postgres://ada:w%40rd@db.example.test:5433/toll'
let folder: string
let authority: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
  authority = join(folder, 'ca.pem')
  writeFileSync(authority, 'the file of an authority')
})
afterAll(() => rmSync(folder, { recursive: true }))

test.for([
  ['', undefined],
  ['?application_name=x', undefined],
  ['?sslmode=disable', false],
  ['?ssl=false', false],
  ['?ssl=0', false],
  ['?sslmode=prefer', { rejectUnauthorized: false }],
  ['?sslmode=allow', { rejectUnauthorized: false }],
  // from: brianc/node-postgres#2375, sqlpad/sqlpad#954
  ['?sslmode=require', { rejectUnauthorized: false }],
  ['?sslmode=no-verify', { rejectUnauthorized: false }],
  ['?ssl=no-verify', { rejectUnauthorized: false }],
  ['?sslmode=verify-full', {}],
  ['?sslmode=verify-full&sslrootcert=system', {}],
  ['?sslrootcert=system', {}],
  ['?ssl=true', {}],
  ['?ssl=1', {}],
] as const)('%s is read in the meaning that it has for libpq', ([query, ssl]) => {
  expect(readPostgresUrl(BASE + query).ssl).toEqual(ssl)
})

test('with the file of an authority the chain is checked, and the name with verify-full alone', () => {
  const at = (mode: string) =>
    readPostgresUrl(`${BASE}?sslmode=${mode}&sslrootcert=${encodeURIComponent(authority)}`).ssl
  const chainAlone = { ca: 'the file of an authority', checkServerIdentity: expect.any(Function) }
  // from: supabase/pg-toolbelt#88
  expect(at('verify-ca')).toEqual(chainAlone)
  expect(at('require')).toEqual(chainAlone)
  expect(at('prefer')).toEqual({ rejectUnauthorized: false })
  expect(at('verify-full')).toEqual({ ca: 'the file of an authority' })
})

test('the driver gets the rest of the URL as it was, without what it would read in its own way', () => {
  const { connectionString } = readPostgresUrl(`${BASE}?sslmode=require&options=-c%20x&sslnegotiation=postgres`)
  const url = new URL(connectionString)
  expect([url.username, url.password, url.host, url.pathname]).toEqual([
    'ada',
    'w%40rd',
    'db.example.test:5433',
    '/toll',
  ])
  expect([...url.searchParams.keys()]).toEqual(['options'])
  expect(readPostgresUrl(BASE).connectionString).toBe(BASE)
  expect(readPostgresUrl('postgres://ada@/toll').connectionString).toBe('postgres://ada@/toll')
})

test.for([
  ['?sslmode=verify-ca', /needs sslrootcert/],
  [
    '?sslmode=verified',
    /sslmode is "verified", but it must be disable, allow, prefer, require, verify-ca or verify-full/,
  ],
  ['?sslmode=require&sslrootcert=system', /sslrootcert=system needs sslmode=verify-full/],
  [
    '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    /sslrootcert names "\/nowhere\/ca.pem", which cannot be read \(ENOENT\)/,
  ],
  ['?sslmode=require&sslkey=/nowhere/key.pem', /sslkey names .*ENOENT/],
] as const)('%s is refused in words', ([query, words]) => {
  expect(() => readPostgresUrl(BASE + query)).toThrow(UnusableTls)
  expect(() => readPostgresUrl(BASE + query)).toThrow(words)
})

test.for([
  [{ message: 'The server does not support SSL connections' }, /offers no TLS/],
  [{ message: 'x', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /authority that is not known here/],
  [{ message: 'x', code: 'SELF_SIGNED_CERT_IN_CHAIN' }, /authority that is not known here/],
  [{ message: 'x', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /another name/],
  [{ message: 'x', code: 'CERT_HAS_EXPIRED' }, /expired/],
  [{ message: 'x', code: 'CERT_NOT_YET_VALID' }, /clocks/],
  // from: alexandrainst/node-red-contrib-postgresql#61
  [{ message: 'no pg_hba.conf entry for host "::1", user "u", database "d", no encryption' }, /add sslmode=require/],
  [{ message: 'no pg_hba.conf entry for host "::1", user "u", database "d", SSL off' }, /add sslmode=require/],
  [{ message: 'connection requires a valid client certificate' }, /sslcert and sslkey/],
  [{ message: 'connect ECONNREFUSED' }, null],
] as const)('%o is put in words where it is of TLS', ([failure, words]) => {
  const said = tlsFailure(Object.assign(new Error(), failure))
  if (words === null) expect(said).toBe(null)
  else expect(said).toMatch(words)
})
