import type { CaptureView } from '../../src/contract/captures.ts'
import { plural } from './plural.ts'

export const capturesEn = {
  title: 'Capture',
  lead: 'See exactly what the requests of this key send and get.',
  off: 'Captures are turned off on this server.',
  openSettings: 'Open settings',
  begin: 'Capture requests',
  confirm: {
    title: (name: string) => `Capture requests of “${name}”?`,
    what: (requests: number, minutes: number) =>
      `The next ${requests} requests are captured, or those of the next ${minutes} minutes, whichever ends first: bodies, some headers, and what providers were sent and answered.`,
    kept: 'API keys and credentials are removed. Everything is encrypted, and deleted 24 hours after the capture starts.',
    seen: 'The owner of the key sees that a capture is running. The audit records who started it and who opened which request.',
    replaced: 'What was captured of this key before is deleted.',
    action: 'Start capture',
  },
  begun: 'The capture is running.',
  running: (count: number, most: number) => `Capturing: ${count} of ${most} requests`,
  ends: (when: string) => `Ends ${when} at the latest.`,
  end: 'End now',
  ended: {
    count: 'All requests are captured',
    time: 'The time is over',
    admin: 'Ended by an admin',
    setting: 'Captures were turned off',
    room: 'Ended early: there is no room for more captures',
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
    providerResponse: 'Response of the provider',
    left: 'The client left before it got a response.',
    noAnswer: 'No response came.',
    empty: 'No body.',
    cut: (size: string) => `Only the beginning of ${size} was kept.`,
    binary: 'This is not text, so it is shown as Base64.',
  },
}

export type CapturesTexts = typeof capturesEn
