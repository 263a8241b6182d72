import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { type ClientResponse, onceClosed } from './client-connection.ts'

function responseThat(is: { destroyed: boolean }): ClientResponse & EventEmitter {
  return Object.assign(new EventEmitter(), is) as unknown as ClientResponse & EventEmitter
}

test('what ends with a response ends at once where its client has left already, and once in every case', () => {
  const left = vi.fn()
  const response = responseThat({ destroyed: true })
  onceClosed(response, left)
  response.emit('close')
  expect(left).toHaveBeenCalledTimes(1)
})

test('what ends with a response does not end before it', () => {
  const over = vi.fn()
  const response = responseThat({ destroyed: false })
  onceClosed(response, over)
  expect(over).not.toHaveBeenCalled()
  response.emit('close')
  response.emit('close')
  expect(over).toHaveBeenCalledTimes(1)
})
