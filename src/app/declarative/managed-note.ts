import type { AuditNote } from '../../access/audit.ts'

interface Managed {
  readonly isManaged: boolean
}

/** Says as well when the file begins or ends to manage an object: from then on it is changed there alone, or no longer. */
export function managedNote(note: AuditNote, before: Managed, after: Managed): AuditNote {
  if (before.isManaged === after.isManaged) return note
  const managed = { before: before.isManaged, after: after.isManaged }
  return { ...note, changes: { ...note.changes, managed } }
}
