import { expect, test } from 'vitest'
import { readServerEvent } from './server-event.ts'

test.for([
  ['a name and data', 'event: ping\ndata: {"a":1}\n\n', 'ping', '{"a":1}'],
  ['no space behind the colon', 'event:ping\ndata:{}\n\n', 'ping', '{}'],
  ['one space of two taken', 'data:  x\n\n', null, ' x'],
  ['lines that end in CR LF', 'event: ping\r\ndata: {}\r\n\r\n', 'ping', '{}'],
  ['several lines of data', 'data: a\ndata:\ndata: b\n\n', null, 'a\n\nb'],
  ['several lines of data, in CR LF', 'data: a\r\ndata:\r\ndata: b\r\n\r\n', null, 'a\n\nb'],
  ['data before its name', 'data: x\nevent: late\n\n', 'late', 'x'],
  ['no last line end', 'data: x', null, 'x'],
  ['blank lines first', '\n\r\n\ndata: x\n\n', null, 'x'],
  ['words beyond ASCII', 'event: größe\ndata: "日本"\n\n', 'größe', '"日本"'],
  ['a comment', ': data: x\n\n', null, ''],
  ['a field that only begins like data', 'database: x\ndata\nid: 1\n\n', null, ''],
  ['nothing', '', null, ''],
  ['a bare error', '{"error":{"code":503}}\n', null, '{"error":{"code":503}}\n'],
  ['other bare JSON', '{"ok":true}\n', null, ''],
  ['data other than a bare error', 'data: x\n{"error":{}}\n', null, 'x'],
] as const)('of an event with %s the name and the data are read', ([, text, name, data]) => {
  const event = readServerEvent(Buffer.from(text))
  expect([event.name, event.data.toString()]).toEqual([name, data])
})
