import com.android.apksig.ApkSigner;
import com.android.apksig.ApkVerifier;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** Sign.java IN OUT KEYSTORE PASSWORD: signs an APK with the first key of the store, and verifies what it wrote. */
public final class Sign {
  public static void main(String[] arguments) throws Exception {
    final File in = new File(arguments[0]);
    final File out = new File(arguments[1]);
    final char[] password = arguments[3].toCharArray();
    final KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = new FileInputStream(arguments[2])) {
      store.load(file, password);
    }
    final String alias = store.aliases().nextElement();
    final ApkSigner.SignerConfig signer = new ApkSigner.SignerConfig.Builder(
        alias, (PrivateKey) store.getKey(alias, password), List.of((X509Certificate) store.getCertificate(alias)))
        .build();
    new ApkSigner.Builder(List.of(signer)).setInputApk(in).setOutputApk(out).setV1SigningEnabled(true)
        .setV2SigningEnabled(true).setV3SigningEnabled(true).setAlignFileSize(true).build().sign();
    final ApkVerifier.Result result = new ApkVerifier.Builder(out).build().verify();
    result.getAllErrors().forEach(error -> System.err.println("Sign.java: " + error));
    if (!result.isVerified()) {
      System.exit(1);
    }
    System.out.println("v1 " + result.isVerifiedUsingV1Scheme() + ", v2 " + result.isVerifiedUsingV2Scheme() + ", v3 "
        + result.isVerifiedUsingV3Scheme());
  }
}
