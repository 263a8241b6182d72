import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** An authenticator in software: one passkey, as a browser and its key store would make and use it (WebAuthn Level 2). */
export class PasskeyAuthenticator {
  readonly #id: Buffer
  readonly #key: KeyObject
  readonly #publicPoint: { x: Buffer; y: Buffer }
  readonly #origin: string
  #counter = 0
  /** Whether it asks its holder for a fingerprint or PIN. */
  verifiesHolder = true

  /** `passkey`: one that it has already; absent: it makes one. */
  constructor(origin: string, passkey: Passkey = newPasskey()) {
    this.#origin = origin
    const { x = '', y = '' } = createPublicKey(passkey.privateKey).export({ format: 'jwk' })
    this.#id = passkey.id
    this.#key = passkey.privateKey
    this.#publicPoint = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** What `navigator.credentials.create()` answers to these options, as JSON. */
  create(options: { challenge: string; rp: { id: string } }) {
    const clientData = this.#clientData('webauthn.create', options.challenge)
    const { x, y } = this.#publicPoint
    // COSE: key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256).
    const coseKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, x],
      [-3, y],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, coseKey])
    const authData = Buffer.concat([this.#authData(options.rp.id, HAS_CREDENTIAL), credential])
    const attestation = cborMap([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** What `navigator.credentials.get()` answers to these options, as JSON. */
  get(options: { challenge: string; rpId: string }) {
    this.#counter += 1
    const clientData = this.#clientData('webauthn.get', options.challenge)
    const authData = this.#authData(options.rpId, 0)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
    })
  }

  #answer(response: object) {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authData(rpId: string, flags: number): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(USER_PRESENT | (this.verifiesHolder ? USER_VERIFIED : 0) | flags)
    rest.writeUInt32BE(this.#counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
  }
}

interface Passkey {
  readonly id: Buffer
  /** A key of the curve P-256. */
  readonly privateKey: KeyObject
}

function newPasskey(): Passkey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { id: randomBytes(32), privateKey }
}

type Cbor = number | string | Buffer | ReadonlyMap<unknown, unknown>

/** A map in CBOR (RFC 8949), as far as WebAuthn needs it. */
function cborMap(entries: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return head(5, 0)
}

function head(type: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(type << 5) | argument])
  if (argument < 256) return Buffer.from([(type << 5) | 24, argument])
  return Buffer.from([(type << 5) | 25, argument >> 8, argument & 255])
}
