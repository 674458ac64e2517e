/** What drew a shard has ended, and nobody knows why: what it was drawing is lost. */
export class DrawerLost extends Error {
  /** The name of this class. */
  override readonly name = "DrawerLost";
}
