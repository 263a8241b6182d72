import { z } from '@hono/zod-openapi'
import { apiKey, keyCreate, keyPatch } from './keys.ts'
import { time } from './wire-values.ts'

/** What a program and its machine say they are: at most 64 characters, never proved. */
const said = z.string()

/** `GET /api/device-requests/{code}`: a program that waits to be signed in. */
export const deviceRequest = z
  .object({
    code: z.string().describe('to be compared with what the program shows'),
    client: said.describe('as it says'),
    machine: said.describe('as it says; empty: it does not'),
    asked_from: z.string(),
    asked_at: time,
    expires_at: time,
    same_network: z
      .boolean()
      .describe('whether it asked from the network that this request comes from; else the code is to be typed'),
    idle_days: z.number().int().describe('days without use after which a device is signed out'),
    max_days: z.number().int().describe('days after its approval when it is signed out in any case'),
  })
  .openapi('DeviceRequest')

/** `POST /api/device-requests/{code}/approve` */
export const deviceApproval = z
  .object({
    name: keyCreate.shape.name,
    group: keyCreate.shape.group,
    quota_limit: keyPatch.shape.quota_limit.describe(
      'null: none; left out: as the group presets it, see `devices` of groups',
    ),
    quota_reset: keyPatch.shape.quota_reset,
    expires_at: keyPatch.shape.expires_at.describe('null: no end; left out: the latest that the group allows'),
    typed_code: z
      .string()
      .max(20)
      .optional()
      .describe('the code as the person typed it; needed where `same_network` is false'),
  })
  .strict()
  .openapi('DeviceApproval')

const deviceSecret = z.object({
  id: z.string(),
  client: z.string(),
  secret_start: z.string(),
  secret_end: z.string(),
  created_at: time,
})

/** A signed-in device: an API key of the kind `device`. */
export const device = z
  .object({
    key: apiKey,
    client: said.describe('as it said when it asked'),
    machine: said.describe('as it said when it asked; empty: it did not'),
    approved_at: time,
    asked_from: z.string(),
    approved_from: z.string(),
    refreshed_at: time.nullable().describe('when its sign-in was renewed last'),
    refreshed_from: z.string().nullable(),
    ends_at: time.describe('when it has to sign in again, however much it is used'),
    secrets: z.array(deviceSecret).describe('kept by clients that cannot renew a sign-in'),
  })
  .openapi('Device')

export const devicesQuery = z.object({
  account_id: z.string().max(64).optional().describe('admins only: of another account; absent: own'),
})

/** `GET /api/devices` */
export const devices = z.object({ data: z.array(device) })

export type DeviceRequestView = z.output<typeof deviceRequest>
export type DeviceView = z.output<typeof device>
export type DeviceApproval = z.input<typeof deviceApproval>
export type DevicesAnswer = z.output<typeof devices>
