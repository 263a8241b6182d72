import type { DeviceApproval, DeviceRequestView, DevicesAnswer, DeviceView } from '../../src/contract/devices.ts'
import { apiPath, post, read, remove } from './request.ts'

/** The own devices that are signed in, the newest first: at most as many as an account may have. */
export const devicesQuery = read<DevicesAnswer>(['keys', 'devices'], '/api/devices')

/**
 * The program that shows this code and waits for its approval. It is asked for once, as wrong codes are counted and what
 * it says does not change.
 */
export const deviceRequestQuery = (code: string) =>
  read<DeviceRequestView>(['device-requests', code], apiPath`/api/device-requests/${code}`, {
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const approveDevice = (code: string, body: DeviceApproval, idempotencyKey?: string) =>
  post<DeviceView>(apiPath`/api/device-requests/${code}/approve`, body, idempotencyKey)

export const denyDevice = (code: string) => post<undefined>(apiPath`/api/device-requests/${code}/deny`)

/** `id`: of the device's key. */
export const signDeviceOut = (id: string) => remove(apiPath`/api/devices/${id}`)

export const signAllDevicesOut = () => post<undefined>('/api/devices/sign-out')

export const deleteDeviceSecret = (id: string, secretId: string) =>
  remove(apiPath`/api/devices/${id}/secrets/${secretId}`)
