import { SecureSource } from "../../../core/random/secure_source.ts";

/** A secure source that says whether anybody drew from it. */
export class WatchedSource extends SecureSource {
  /** Whether anybody drew. */
  used = false;

  /** As of the secure source. */
  override uint32(): number {
    this.used = true;
    return super.uint32();
  }

  /** As of the secure source. */
  override fillUint32(out: Uint32Array): void {
    this.used = true;
    super.fillUint32(out);
  }

  /** As of the secure source. */
  override split(label: string | number): SecureSource {
    this.used = true;
    return super.split(label);
  }
}
