import type { KeyMessageAsked, KeyMessagePriceView, KeyMessageView } from '../../src/contract/key-messages.ts'
import { apiPath, post, read } from './request.ts'

/** What a test message with this key would cost. */
export const keyMessagePriceQuery = (id: string, asked: KeyMessageAsked) =>
  read<KeyMessagePriceView>(['keys', 'message', id, asked], apiPath`/api/keys/${id}/message`, {
    query: { ...asked },
    staleTime: 60_000,
    retry: false,
  })

/** Sends one: it is charged like any request. */
export const sendKeyMessage = (id: string, body: KeyMessageAsked) =>
  post<KeyMessageView>(apiPath`/api/keys/${id}/message`, body)

/** What such a message calls itself in its record. */
export const MESSAGE_CLIENT = 'tollgate-console-test'
