import type { LearnedRefusalView } from '../../contract/models.ts'
import type { LearnedRefusal } from '../../routing/learned-refusals.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** What a target was seen to refuse, as the API writes it. */
export function learnedRefusalView({ setting, value, refusedAt, said }: LearnedRefusal): LearnedRefusalView {
  return { setting, value, refused_at: timeOnWire(refusedAt), said }
}
