import type { CaptureView } from '../../src/contract/captures.ts'
import { plural } from './plural.ts'

export const texts = {
  title: 'Capture',
  lead: 'See exactly what this key’s requests send and receive.',
  off: 'Captures are turned off on this server.',
  openSettings: 'Open settings',
  begin: 'Capture requests',
  confirm: {
    title: (name: string) => `Capture requests of “${name}”?`,
    what: (requests: number, minutes: number) =>
      `Captures the next ${requests} requests, or those of the next ${minutes} minutes, whichever comes first: bodies, some headers, what was sent to providers and what they returned.`,
    kept: 'API keys and credentials are removed. Everything is encrypted, and deleted 24 hours after the capture starts.',
    seen: 'The owner of the key sees that a capture is running. The audit log records who started it and who opened which request.',
    replaced: 'Earlier captures of this key are deleted.',
    action: 'Start capture',
  },
  begun: 'Capture started.',
  running: (count: number, most: number) => `Capturing: ${count} of ${most} requests`,
  ends: (when: string) => `Ends ${when} at the latest.`,
  end: 'End now',
  ended: {
    count: 'All requests captured',
    time: 'The time is up',
    admin: 'Ended by an admin',
    setting: 'Captures were turned off',
    room: 'Ended early: no room for more captures',
  } satisfies Record<NonNullable<CaptureView['ended_because']>, string>,
  gone: (when: string) => `Everything is deleted ${when}.`,
  waiting: 'No requests yet.',
  none: 'No requests were captured.',
  missed: (count: number) =>
    plural(count, { one: '1 request could not be captured.', other: `${count} requests could not be captured.` }),
  list: 'Captured requests',
  open: (what: string) => `Open ${what}`,
  noStatus: 'no response',
  request: {
    title: 'Captured request',
    gone: 'This request was deleted.',
    tabs: 'Parts of the request',
    sent: 'Client request',
    got: 'Client response',
    attempt: (number: number) => `Provider ${number}`,
    model: 'Model',
    status: 'Status',
    time: 'Time',
    took: 'Duration',
    record: 'Usage record',
    upstream: 'Upstream',
    path: 'Path',
    headers: 'Headers',
    body: 'Body',
    providerRequest: 'Request to the provider',
    providerResponse: 'Response from the provider',
    left: 'The client disconnected before it got a response.',
    noAnswer: 'No response was received.',
    empty: 'No body.',
    cut: (size: string) => `The body is ${size}. Only the beginning was kept.`,
    binary: 'This isn’t text, so it’s shown as Base64.',
  },
}

export type CapturesTexts = typeof texts
