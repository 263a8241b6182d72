import { piecesOf, type RangeEdit } from '../json/range-edits.ts'
import type { ByteRange, RequestChange, RequestHead } from '../protocol.ts'

/**
 * The client's body with another model name, for wires whose streams report usage unasked. Everything else stays byte
 * for byte: the pieces are views of the body, with the new bytes between them.
 */
export function renameModel(body: Buffer, head: RequestHead, change: RequestChange): Buffer[] {
  return piecesOf(body, modelEdit(head, change.model))
}

/** Renames it in a form, where a name stands as it is; in JSON as above. */
export function renameModelInForm(body: Buffer, head: RequestHead, change: RequestChange): Buffer[] {
  if (body[0] !== DASH) return renameModel(body, head, change)
  // A line break would be able to end the part.
  const text = change.model.replaceAll(/[\r\n]/g, ' ')
  return change.model === head.model ? [body] : piecesOf(body, [{ at: head.places.model, text }])
}

/** Renames the model, and where wanted sets `stream_options.include_usage`; other stream options stay. */
export function renameModelAndAskForUsage(body: Buffer, head: RequestHead, change: RequestChange): Buffer[] {
  const edits = modelEdit(head, change.model)
  if (change.askForUsage && !head.includeUsage) edits.push(usageEdit(body, head))
  return piecesOf(body, edits)
}

/** What a form begins with, and no JSON does. */
const DASH = 0x2d

const ASKED = '{"include_usage":true}'

function modelEdit(head: RequestHead, model: string): RangeEdit[] {
  return model === head.model ? [] : [{ at: head.places.model, text: JSON.stringify(model) }]
}

function usageEdit(body: Buffer, head: RequestHead): RangeEdit {
  const { model, streamOptions, includeUsage } = head.places
  if (streamOptions === null) return { at: behind(model.end), text: `,"stream_options":${ASKED}` }
  if (includeUsage !== null) return { at: includeUsage, text: 'true' }
  if (body[streamOptions.start] !== 0x7b) return { at: streamOptions, text: ASKED }
  const empty = body.toString('latin1', streamOptions.start + 1, streamOptions.end - 1).trim() === ''
  return { at: behind(streamOptions.start + 1), text: `"include_usage":true${empty ? '' : ','}` }
}

function behind(offset: number): ByteRange {
  return { start: offset, end: offset }
}
