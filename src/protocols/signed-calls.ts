import { factsOf } from '../models/table.ts'

/** Whether a model of Google's wants its calls signed, as all do that give their calls ids; `model`: its name alone. */
export function signsCalls(model: string): boolean {
  return factsOf({ name: model }, 'gemini').signed_calls === 'required'
}
