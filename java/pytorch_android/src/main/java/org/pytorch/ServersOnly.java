package org.pytorch;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Never reached in an app: the class may use what Android's API level 21 does not have. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface ServersOnly {}
