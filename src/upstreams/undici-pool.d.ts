/** The file behind undici's `Pool`, which has no declaration of its own. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
